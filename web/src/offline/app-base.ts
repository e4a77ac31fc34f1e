/** The folder that the offline app lives in; its code is loaded on its own pages only. */
import { base } from '../base';

export const appBase: URL = base ?? new URL('/offline/', location.href);
