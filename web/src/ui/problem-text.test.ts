/** What went wrong is told as what it was: a network that is away, an answer of the server, or a mistake of ours. */
import { expect, test, vi } from 'vitest';

import { ApiError, UnreachableError } from '../api/http';
import { t } from '../locales/shell';
import { problemText } from './problem-text';

test('only a network that is away is called so', () => {
  const told = vi.spyOn(console, 'error').mockReturnValue(undefined);
  expect(problemText(new UnreachableError())).toBe(t('problem.unreachable'));
  expect(problemText(new ApiError(409, { error: { code: 'busy', message: 'Not now.', place: '' } }))).toBe('Not now.');
  expect(told).not.toHaveBeenCalled();
  const mistake = new TypeError('x is undefined');
  expect(problemText(mistake)).toBe(t('problem.fault'));
  expect(told).toHaveBeenCalledWith(mistake);
  told.mockRestore();
});
