/** An office's way from the database of one cell to that of another. */
export { numberByCell, saveCellNumber } from './copy-store.ts';
export { moverName } from './freeze-store.ts';
export { deleteLeftover, type Move, MoveRefused, moveAccount, undoMove } from './move.ts';
