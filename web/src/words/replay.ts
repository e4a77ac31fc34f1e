/** The words of the area "replay" in the visitor's language. */
import { speak } from '../lib/words';
import en from './en/replay';
import fr from './fr/replay';

export const t = speak({ en, fr });
