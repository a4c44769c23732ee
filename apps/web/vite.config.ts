import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The text face is on every first screen, so its file is asked for before the style sheet that names it is read. */
function preloadTextFace(): Plugin {
  return {
    name: 'preload-text-face',
    transformIndexHtml: {
      order: 'post',
      handler(_html, context) {
        const names = Object.keys(context.bundle ?? {})
        const file = names.find((name) => /public-sans-latin-wght.*\.woff2$/.test(name))
        if (file === undefined) return []
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' }
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' }]
      },
    },
  }
}

/** Compresses once, at the best level, what the server would otherwise compress for every visitor, or not at all. */
function compressedCopies(): Plugin {
  const kinds = [
    ['br', promisify(brotliCompress)],
    ['gz', promisify(gzip)],
  ] as const
  return {
    name: 'compressed-copies',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      const names = await readdir(dir, { recursive: true })
      const texts = names.filter((name) => /\.(js|css|svg|webmanifest)$/.test(name))
      const compress = async (name: string) => {
        const file = join(dir, name)
        const content = await readFile(file)
        for (const [ending, squeeze] of kinds) await writeFile(`${file}.${ending}`, await squeeze(content))
      }
      await Promise.all(texts.map(compress))
    },
  }
}

const packages = (...names: string[]) => new RegExp(`node_modules[\\\\/](${names.join('|')})[\\\\/]`)

/** What the sign-in needs of `ui` and `api`; the rest of both is for the pages behind it. */
const FIRST_PARTS = [
  'Brand',
  'Button',
  'Dialog',
  'Field',
  'Menu',
  'PasswordField',
  'States',
  'Toasts',
  'icons',
  'theme',
]
const FIRST_HOOKS = ['usePageTitle', 'useFailureText', 'useSignedIn']
const FIRST_CALLS = ['browserSession', 'failure', 'http', 'language', 'session', 'storage']
const FIRST = new RegExp(
  `src[\\\\/](ui|api)[\\\\/](${[...FIRST_PARTS, ...FIRST_HOOKS, ...FIRST_CALLS].join('|')})\\.tsx?$|@tabler|vite/preload-helper`,
)

/** Not the QR code, which is drawn on demand. */
const MEMBER = /src[\\/](ui|api)[\\/](?!QrCode)\w+\.tsx?$/

export default defineConfig({
  plugins: [react(), preloadTextFace(), compressedCopies()],
  build: {
    outDir: 'dist',
    target: 'es2022',
    // A data: URL would need a wider font-src than the Content-Security-Policy gives.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Few files, as many as there are reasons to load one: a request costs more than a kilobyte. The libraries
          // stand apart because a browser keeps those between our deployments.
          groups: [
            { name: 'react', priority: 5, test: packages('react', 'react-dom', 'scheduler') },
            {
              name: 'start',
              priority: 4,
              test: packages('react-router', 'i18next', 'react-i18next', 'react-hot-toast', 'goober'),
            },
            {
              name: 'store',
              priority: 3,
              test: packages('@reduxjs', 'react-redux', 'redux', 'redux-thunk', 'immer', 'reselect'),
            },
            { name: 'first', priority: 2, test: FIRST },
            { name: 'member', priority: 1, test: MEMBER },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://localhost:3000' } },
})
