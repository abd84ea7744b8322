import { accessDataset } from './access_dataset.ts';
import { checkDataset } from './check_dataset.ts';
import { createDataset } from './create_dataset.ts';
import { dropDatasetUsers } from './drop_dataset_users.ts';
import { listDatasets } from './list_datasets.ts';
import { rotateDataset } from './rotate_dataset.ts';
import { setDatasetUser } from './set_dataset_user.ts';
import { uploadDatasetRows } from './upload_dataset_rows.ts';

/** Those of the specification's tools. */
export const CORE_DATASETS = [listDatasets, accessDataset] as const;

/** Those beyond, in the order of the catalog. */
export const DATASETS = [
  createDataset,
  rotateDataset,
  uploadDatasetRows,
  checkDataset,
  dropDatasetUsers,
  setDatasetUser,
] as const;
