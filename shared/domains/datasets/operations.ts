import { accessDataset } from './access_dataset.ts';
import { checkDataset } from './check_dataset.ts';
import { datasetRows } from './files/dataset_rows.ts';
import { createDataset } from './create_dataset.ts';
import { disputedDataset } from './disputed_dataset.ts';
import { dropDatasetUsers } from './drop_dataset_users.ts';
import { getDataset } from './get_dataset.ts';
import { listDatasets } from './list_datasets.ts';
import { refundUnservedOrders } from './refund_unserved_orders.ts';
import { retryDatasetUsers } from './retry_dataset_users.ts';
import { rotateDataset } from './rotate_dataset.ts';
import { setDatasetUser } from './set_dataset_user.ts';
import { uploadDatasetRows } from './upload_dataset_rows.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  listDatasets,
  accessDataset,
  getDataset,
  createDataset,
  rotateDataset,
  uploadDatasetRows,
  datasetRows,
  disputedDataset,
  // Started by timers and by other operations.
  checkDataset,
  dropDatasetUsers,
  retryDatasetUsers,
  refundUnservedOrders,
  setDatasetUser,
] as const;
