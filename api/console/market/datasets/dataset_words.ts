import type { DatasetType } from '../../../../shared/domains/products/dataset/dataset.ts';
import { plural } from '../../parts/text.tsx';

export const DELIVERED: Readonly<Record<DatasetType, string>> = {
  json: 'Rows in the answer',
  url: 'A link',
  ftp: 'Files by FTP',
  mysql: 'A MySQL user of your own',
};

export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return plural(bytes, 'byte');
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
