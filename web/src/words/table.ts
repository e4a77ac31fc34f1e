/** The words of the area "table" in the visitor's language. */
import { speak } from '../lib/words';
import en from './en/table';
import fr from './fr/table';

export const t = speak({ en, fr });
