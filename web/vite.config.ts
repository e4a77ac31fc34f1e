/** How the pages are built: into hashed files under /assets, nothing inline, so that a strict policy can hold. */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, type Plugin, type Rolldown } from 'vite';
import { defineConfig } from 'vitest/config';

import { firstPaint } from './first-paint.ts';

const FRAME = /node_modules[\\/](svelte|esm-env|clsx)[\\/]|src[\\/](ui|api(?![\\/]championships))[\\/]|src[\\/]router|src[\\/]locales[\\/](shell|languages)\.ts/;
const server = 'http://127.0.0.1:8000';

/** The service worker: one file without imports, under a name that never changes. */
const serviceWorker = (): Plugin => ({
  name: 'meldroom-service-worker',
  apply: 'build',
  async generateBundle() {
    const rolldownOptions = { input: 'src/service-worker.ts', output: { format: 'iife', entryFileNames: 'sw.js' } } as const;
    const built = await build({ configFile: false, publicDir: false, logLevel: 'warn', build: { write: false, target: 'es2022', rolldownOptions } });
    const [chunk] = (built as Rolldown.RolldownOutput).output;
    this.emitFile({ type: 'asset', fileName: 'sw.js', source: chunk.code });
  },
});

export default defineConfig({
  // Files refer to each other relatively: the same build serves at the top of a host and in any folder.
  base: './',
  plugins: [svelte(), firstPaint(), serviceWorker()],
  server: {
    port: 5173,
    proxy: { '/api': { target: server, ws: true, changeOrigin: true } },
  },
  build: {
    outDir: process.env.MELDROOM_PAGES || '../src/meldroom/server/pages',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // engine/build.py reads there what the offline app may load.
    manifest: true,
    rolldownOptions: {
      // How long a plugin takes on a busy machine is no news.
      checks: { pluginTimings: false },
      // What every page needs comes as one file: on a slow line each request costs more than its bytes.
      output: {
        codeSplitting: { groups: [{ name: 'frame', test: FRAME }] },
      },
    },
  },
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'assets/worker-[hash].js' } } },
  // The tests run in node, but on the browser's half of Svelte: the stores and runes that people will run.
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: { include: ['test/**/*.test.ts', 'src/**/*.test.ts'], environment: 'node', setupFiles: ['test/setup.ts'] },
});
