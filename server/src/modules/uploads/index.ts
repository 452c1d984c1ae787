export { registerUploadRoutes } from './office-routes.ts';
export { hasRejects } from './piece-store.ts';
export { inClerksWords } from './rules.ts';
export { createFileKeys, type FileKeys, SealBroken } from './seal.ts';
export { openSealedFile } from './sealed-file.ts';
export { countReady, countWithoutKey, findUploadOfImport, type Upload } from './upload-store.ts';
export { createUploadWork, type UploadWork } from './work.ts';
