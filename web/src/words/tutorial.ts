/** The words of the area "tutorial" in the visitor's language. */
import { speak } from '../lib/words';
import en from './en/tutorial';
import fr from './fr/tutorial';

export const t = speak({ en, fr });
