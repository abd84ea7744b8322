import { addStock } from './add_stock.ts';
import { createProduct } from './create_product.ts';
import { forgetOldVersions } from './forget_old_versions.ts';
import { getProduct } from './get_product.ts';
import { listProducts } from './list_products.ts';
import { myProducts } from './my_products.ts';
import { productsToReview } from './products_to_review.ts';
import { reviewProduct } from './review_product.ts';
import { searchAssets } from './search_assets.ts';
import { solanaMetadata } from './solana_metadata.ts';
import { stockStatus } from './stock_status.ts';
import { updateProduct } from './update_product.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  searchAssets,
  listProducts,
  getProduct,
  solanaMetadata,
  createProduct,
  updateProduct,
  myProducts,
  addStock,
  stockStatus,
  productsToReview,
  reviewProduct,
  // Started by timers and by other operations.
  forgetOldVersions,
] as const;
