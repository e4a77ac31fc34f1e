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
const texts = (language: string, area: string): Record<string, string> =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`./src/locales/${language}/${area}.json`, import.meta.url)), 'utf8'));

/** The installed app begins in the offline app, which needs no network; what it links to on the server stays inside it. */
function manifest(language: string): string {
  const [shell, offline] = [texts(language, 'shell'), texts(language, 'offline')];
  const shortcut = (name: string, folder: string): object => ({ name, url: `offline/${folder}` });
  return JSON.stringify({
    name: 'Meldroom',
    short_name: 'Meldroom',
    description: shell['landing.title'],
    lang: language,
    id: '/offline/',
    start_url: 'offline/',
    scope: './',
    display: 'standalone',
    background_color: '#17231f',
    theme_color: '#17231f',
    categories: ['games'],
    icons: [
      { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      { src: 'icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: 'icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: 'icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    shortcuts: [
      shortcut(offline['title'], ''),
      shortcut(shell['nav.games'], 'games/'),
      shortcut(offline['tools.position'], 'position/'),
      shortcut(offline['tools.referee'], 'referee/'),
    ],
  });
}

/** The files of a page, and those of its messages in each language. */
interface PageFiles {
  files: string[];
  messages: Record<string, string[]>;
}

/** What makes a page one of the offline app; `meldroom site` puts its own instead. */
const OFFLINE = '<meta name="meldroom-base" content="/offline/" /><meta name="meldroom-online" content="/" />';

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
          return withLines.replace('<!-- first -->', '<script src="/first-paint.js"></script>');
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
            if (found) (messages[found[1]] ??= []).push(file);
          }
          pages[page[1]] = { files: [chunk.fileName, ...shared, ...styles], messages };
        }
        // While bundling, Vite hands its whole context over; the type only promises the least of it.
        const context = this as unknown as Rolldown.PluginContext;
        const scriptAt = context.getFileName(context.emitFile({ type: 'asset', name: 'first-paint.js', source: await script(pages) }));
        for (const { code } of LANGUAGES) {
          const name = code === LANGUAGES[0].code ? 'manifest.webmanifest' : `manifest.${code}.webmanifest`;
          context.emitFile({ type: 'asset', fileName: name, source: manifest(code) });
        }
        const early = `<script src="/${scriptAt}"></script>`;
        // A page lies at any depth, so its files are named from the top; files among each other are relative.
        const whole = (start: string): string => withLines.replaceAll('="./', '="/').replace('<!-- first -->', start);
        context.emitFile({ type: 'asset', fileName: 'offline.html', source: whole(OFFLINE + early) });
        return whole(early);
      },
    },
  };
}
