/**
 * A build plugin for what must happen before the first paint: settings become attributes of <html>, and the page's
 * own script and the first answers of the server are asked for while the main script is still on its way.
 *
 * A content security policy without inline scripts must hold, so this is a small blocking file with a hashed name.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Plugin, Rolldown } from 'vite';
import { transformWithOxc } from 'vite';

import { LANGUAGES } from './src/locales/languages.ts';

const source = fileURLToPath(new URL('./src/first-paint.ts', import.meta.url));
const icon = fileURLToPath(new URL('./src/icon.svg', import.meta.url));

const manifest = (iconAt: string): string =>
  JSON.stringify({
    name: 'Meldroom',
    short_name: 'Meldroom',
    description: 'Tile rummy, by the book.',
    start_url: '/',
    display: 'standalone',
    background_color: '#17231f',
    theme_color: '#17231f',
    icons: [{ src: iconAt, sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
  });

/** The files of a page, and those of its messages in each language. */
interface PageFiles {
  files: string[];
  messages: Record<string, string[]>;
}

/** What is shown before any script runs, in every language; the styles hide all but one. */
function firstLines(html: string): string {
  const lines = LANGUAGES.map(({ code, firstLine }) => `<p class="first-line" lang="${code}">${firstLine}</p>`);
  const noScript = LANGUAGES.map(({ code, noScript: line }) => `<p lang="${code}">${line}</p>`);
  return html.replace('<!-- first lines -->', lines.join('')).replace('<!-- without script -->', noScript.join(''));
}

async function script(pages: Record<string, PageFiles>): Promise<string> {
  const plain = await transformWithOxc(readFileSync(source, 'utf8'), source, { target: 'es2020' });
  const code = plain.code.replace('__PAGES__', () => JSON.stringify(pages)).replace('__LANGUAGES__', () => JSON.stringify(LANGUAGES.map(({ code }) => code)));
  // A module by its types only: it must block the paint, so it is served as a plain script.
  return `(()=>{${code.replace(/^export \{\s*\};?\s*$/m, '')}})();\n`;
}

export function firstPaint(): Plugin {
  return {
    name: 'meldroom-first-paint',

    // While developing there are no hashed names, and nothing to be fetched ahead.
    configureServer(server) {
      server.middlewares.use('/first-paint.js', (_request, response) => {
        void script({}).then((code) => {
          response.setHeader('content-type', 'text/javascript');
          response.end(code);
        });
      });
    },

    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        const withLines = firstLines(html);
        if (!bundle) {
          return { html: withLines, tags: [{ tag: 'script', attrs: { src: '/first-paint.js' }, injectTo: 'head-prepend' }] };
        }
        const pages: Record<string, PageFiles> = {};
        for (const chunk of Object.values(bundle)) {
          const page = chunk.type === 'chunk' && chunk.isDynamicEntry && chunk.facadeModuleId?.match(/(\w+)\.svelte$/);
          if (chunk.type !== 'chunk' || !page) continue;
          const shared = chunk.imports.filter((file) => {
            const other = bundle[file];
            return other?.type === 'chunk' && !other.isEntry;
          });
          const styles = chunk.viteMetadata ? [...chunk.viteMetadata.importedCss] : [];
          const messages: Record<string, string[]> = {};
          for (const file of [chunk.fileName, ...chunk.imports].flatMap((one) => (bundle[one] as Rolldown.OutputChunk).dynamicImports)) {
            const texts = bundle[file];
            const found = texts?.type === 'chunk' && texts.facadeModuleId?.match(/src\/locales\/(\w+)\/\w+\.json$/);
            if (found) (messages[found[1]] ??= []).push(`/${file}`);
          }
          pages[page[1]] = { files: [chunk.fileName, ...shared, ...styles].map((file) => `/${file}`), messages };
        }
        // While bundling, Vite hands its whole context over; the type only promises the least of it.
        const context = this as unknown as Rolldown.PluginContext;
        const emit = (name: string, content: string | Uint8Array): string =>
          `/${context.getFileName(context.emitFile({ type: 'asset', name, source: content }))}`;
        const iconAt = emit('icon.svg', readFileSync(icon));
        const manifestAt = emit('manifest.webmanifest', manifest(iconAt));
        const scriptAt = emit('first-paint.js', await script(pages));
        return { html: withLines, tags: [
          { tag: 'script', attrs: { src: scriptAt }, injectTo: 'head-prepend' },
          { tag: 'link', attrs: { rel: 'icon', type: 'image/svg+xml', href: iconAt }, injectTo: 'head' },
          { tag: 'link', attrs: { rel: 'manifest', href: manifestAt }, injectTo: 'head' },
        ] };
      },
    },
  };
}
