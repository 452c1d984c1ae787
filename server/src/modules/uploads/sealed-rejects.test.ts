import { expect, test } from 'vitest';
import { ShownRejects } from './sealed-rejects.ts';

test.each([200, 201])(
  'of a refused row the column that the reason names is shown, and of its %i letters the first 200',
  (length) => {
    const list = new ShownRejects();
    const zipcode = '9'.repeat(length);
    list.add(['line', 'reason', 'zip', ' zipcode ', 'city']);
    list.add(['7', 'zipcode has too many digits', '9', zipcode, 'Pasco']);
    expect(list.rows).toEqual([
      {
        ...{ line: 7, column: 'zipcode', value: zipcode.slice(0, 200) },
        reason: 'zipcode has too many digits',
      },
    ]);
  },
);
