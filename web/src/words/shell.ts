/** The words of the area "shell" in the visitor's language. */
import { speak } from '../lib/words';
import en from './en/shell';
import fr from './fr/shell';

export const t = speak({ en, fr });
