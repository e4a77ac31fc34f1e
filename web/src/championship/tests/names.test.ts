import { expect, test } from 'vitest';

import { namesIn } from '../create/names';

test('names are read as the server reads them', () => {
  expect(namesIn('1. Ada\n2) Ben   Nevis\n\n- Chi, Dev;Eve\tFay')).toEqual(['Ada', 'Ben Nevis', 'Chi', 'Dev', 'Eve', 'Fay']);
  expect(namesIn(' \n , ')).toEqual([]);
});
