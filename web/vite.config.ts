/** How the pages are built: into hashed files under /assets, nothing inline, so that a strict policy can hold. */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

import { firstPaint } from './first-paint.ts';

const FRAME = /node_modules[\\/](svelte|esm-env|clsx)[\\/]|src[\\/](ui|api(?![\\/]championships))[\\/]|src[\\/]router|src[\\/]locales[\\/](shell|languages)\.ts/;
const server = 'http://127.0.0.1:8000';

export default defineConfig({
  // Files refer to each other relatively: the same build serves at the top of a host and in any folder.
  base: './',
  plugins: [svelte(), firstPaint()],
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
    rolldownOptions: {
      // How long a plugin takes on a busy machine is no news.
      checks: { pluginTimings: false },
      // The worker that keeps the pages of events must have a name that never changes.
      input: { index: 'index.html', sw: 'src/service-worker.ts' },
      // What every page needs comes as one file: on a slow line each request costs more than its bytes.
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        codeSplitting: { groups: [{ name: 'frame', test: FRAME }] },
      },
    },
  },
  // The tests run in node, but on the browser's half of Svelte: the stores and runes that people will run.
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: { include: ['test/**/*.test.ts', 'src/**/*.test.ts'], environment: 'node', setupFiles: ['test/setup.ts'] },
});
