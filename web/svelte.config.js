// Runes everywhere; the compiler's accessibility warnings are errors in `build.py --check`.
export default {
  compilerOptions: { runes: true },
};
