import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, minifySync, type Plugin } from 'vite'

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

/** Runs before anything is drawn, so it comes with the page instead of after it; the server's policy names its hash. */
const FIRST_SCRIPT = '<script src="/theme.js"></script>'

/** What src/app/early.ts needs runs as soon as it is here; all else waits for it anyway. */
const EARLY_FILE =
  /<link rel="modulepreload" fetchpriority="low"( crossorigin )href=("\/assets\/early-[\w-]+\.js")>/

/** What starts the app. */
const ENTRY_FILE =
  /<script type="module" fetchpriority="low" crossorigin src="(\/assets\/index-[\w-]+\.js)"><\/script>/

/** A script that was loaded before would run before: the first paint would wait for all of it. A hidden window paints nothing. */
const afterFirstPaint = (file: string) =>
  `(()=>{const start=()=>import("${file}");document.hidden?start():requestAnimationFrame(()=>setTimeout(start))})()`

/**
 * What paints the first thing anybody sees, the styles and the text face, comes before the scripts: on a phone's line they
 * would otherwise share it, and the page would stay blank until all of it is there.
 */
function paintFirst(): Plugin {
  return {
    name: 'paint-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { filename }) {
        if (!filename.endsWith('index.html')) return html
        const file = 'theme.js'
        const { code } = minifySync(file, await readFile(new URL(`public/${file}`, import.meta.url), 'utf8'))
        if (!html.includes(FIRST_SCRIPT)) throw new Error(`index.html does not name ${file}`)
        const painted = html
          .replace(FIRST_SCRIPT, () => `<script>${code}</script>`)
          .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
        if (!EARLY_FILE.test(painted)) throw new Error('src/app/early.ts has no file of its own')
        const [entry, script] = ENTRY_FILE.exec(painted) ?? []
        if (entry === undefined || script === undefined)
          throw new Error('index.html does not name what starts the app')
        return painted
          .replace(EARLY_FILE, '<script type="module" async fetchpriority="high"$1src=$2></script>')
          .replace(entry, `<link rel="modulepreload" fetchpriority="low" crossorigin href="${script}">`)
          .replace('</body>', `<script>${afterFirstPaint(script)}</script></body>`)
      },
    },
  }
}

/** Compresses files once, at the best level, so that the server need not do it for every visitor. */
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

/** What the offline page shows beside the files it names itself. */
const OFFLINE_FILES = ['/offline.html', '/theme.js', '/favicon.svg']

/**
 * Gives the service worker the list of the offline page's files and a name for each build. A worker that differs by a
 * byte is a new one, and deletes the old one's cache.
 */
function offlineFiles(): Plugin {
  return {
    name: 'offline-files',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const worker = bundle['sw.js']
      const page = bundle['offline.html']
      if (worker?.type !== 'chunk' || page?.type !== 'asset') throw new Error('the offline page is not built')
      const hashed = String(page.source).match(/\/assets\/[\w.-]+/g) ?? []
      const build = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 12)
      const files = [...new Set([...OFFLINE_FILES, ...hashed])]
      worker.code = worker.code
        .replaceAll('__OFFLINE_FILES__', JSON.stringify(files))
        .replaceAll('__BUILD__', JSON.stringify(build))
      if (/^\s*(import|export)\b/m.test(worker.code) || worker.code.includes('__OFFLINE'))
        throw new Error('the service worker has to be one plain script')
    },
  }
}

/** What a page shows before any script has run, by its path: a file of `src/app/first-paint/`, and whom it is for. */
const FIRST_PAINTS = {
  '/auth/login': { file: 'sign-in.html', for: 'visitors' },
  '/dashboard': { file: 'dashboard.html', for: 'members' },
} as const
const LANGUAGES = ['es', 'en'] as const

/** @param key `feature:a.b`; @returns its text in each language, of which the style sheet shows one */
async function textsOf(key: string): Promise<string> {
  const [feature = '', path = ''] = key.split(':')
  const folder = feature === 'app' ? 'app' : `features/${feature}`
  const spans = LANGUAGES.map(async (language) => {
    const file = new URL(`src/${folder}/locales/${language}.json`, import.meta.url)
    let found: unknown = JSON.parse(await readFile(file, 'utf8'))
    for (const name of path.split('.')) found = (found as Record<string, unknown> | undefined)?.[name]
    if (typeof found !== 'string' || /[<&{]/.test(found))
      throw new Error(`${key} is no plain text in ${language}`)
    return `<span lang="${language}">${found}</span>`
  })
  return (await Promise.all(spans)).join('')
}

/** Writes down what the server puts into such a page. */
function firstPaints(): Plugin {
  const read = async (name: string) => {
    const html = await readFile(new URL(`src/app/first-paint/${name}`, import.meta.url), 'utf8')
    const keys = [...new Set([...html.matchAll(/\{\{([\w:.]+)\}\}/g)].map(([, key = '']) => key))]
    const texts = new Map(await Promise.all(keys.map(async (key) => [key, await textsOf(key)] as const)))
    return html
      .replaceAll(/\{\{([\w:.]+)\}\}/g, (_whole, key: string) => texts.get(key) ?? '')
      .replaceAll(/\s*\n\s*/g, '')
  }
  return {
    name: 'first-paints',
    apply: 'build',
    async generateBundle() {
      const pages = Object.entries(FIRST_PAINTS).map(async ([path, { file, for: people }]) => {
        const inside = await read(file)
        return [
          path,
          `<div class="first-paint" data-for="${people}" aria-hidden="true" inert>${inside}</div>`,
        ]
      })
      const source = JSON.stringify(Object.fromEntries(await Promise.all(pages)))
      this.emitFile({ type: 'asset', fileName: '.vite/first-paints.json', source })
    },
  }
}

/** In the first language. */
const VISITORS_TEXTS = /src[\\/](app|ui|features[\\/]identity)[\\/]locales[\\/]es\.json$/
const MEMBERS_TEXTS = /src[\\/](app|ui|features[\\/]dashboard)[\\/]locales[\\/]es\.json$/
/** Pages that people arrive at, and the modules they begin with. */
const ARRIVALS: Readonly<Record<string, readonly RegExp[]>> = {
  '/auth/login': [/PublicLayout\.tsx$/, /SignInPage\.tsx$/, VISITORS_TEXTS],
  '/auth/register': [
    /PublicLayout\.tsx$/,
    /RegisterPage\.tsx$/,
    VISITORS_TEXTS,
    /new-password[\\/]locales[\\/]es\.json$/,
  ],
  '/dashboard': [/app[\\/]Member(App|Dashboard)\.tsx$/, MEMBERS_TEXTS],
}

/**
 * Writes down which files such a page needs beyond those that index.html names, so that the server can name them there:
 * otherwise they are asked for only once the first ones have run.
 */
function arrivalFiles(): Plugin {
  return {
    name: 'arrival-files',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const closure = (wanted: readonly string[]): Set<string> => {
        const found = new Set(wanted)
        for (const name of found) for (const more of chunkOf(name)?.imports ?? []) found.add(more)
        return found
      }
      const chunkOf = (name: string) => chunks.find(({ fileName }) => fileName === name)
      const named = closure(
        chunks.filter(({ isEntry, name }) => isEntry && name === 'index').map(({ fileName }) => fileName),
      )
      const filesOf = (roots: readonly RegExp[]) => {
        const wanted = chunks.filter(({ moduleIds }) =>
          moduleIds.some((id) => roots.some((root) => root.test(id))),
        )
        const extra = [...closure(wanted.map(({ fileName }) => fileName))].filter((name) => !named.has(name))
        const styles = extra.flatMap((name) => [...(chunkOf(name)?.viteMetadata?.importedCss ?? [])])
        return [...new Set([...styles, ...extra])].map((name) => `/${name}`)
      }
      const source = JSON.stringify(
        Object.fromEntries(Object.entries(ARRIVALS).map(([path, roots]) => [path, filesOf(roots)])),
      )
      this.emitFile({ type: 'asset', fileName: '.vite/arrivals.json', source })
    },
  }
}

/**
 * The router's components that nothing here uses: their names are set after they are made, which a bundler has to take for a
 * use. With them comes the router's server rendering, 4 kB of every first visit.
 */
function unusedRouterParts(): Plugin {
  const file = /react-router[\\/]dist[\\/](?:production|development)[\\/]lib[\\/]dom[\\/]lib\.js$/
  const made = /^const (Link|NavLink|Form) = (React\$1\.forwardRef\()/gm
  return {
    name: 'unused-router-parts',
    apply: 'build',
    transform: {
      filter: { id: file },
      handler(code) {
        if (code.match(made)?.length !== 3) throw new Error('react-router makes its links in another way now')
        const named = /^(Link|NavLink|Form|ScrollRestoration|HistoryRouter)\.displayName = .*;$/gm
        return { code: code.replace(made, 'const $1 = /* @__PURE__ */ $2').replace(named, ''), map: null }
      },
    },
  }
}

const packages = (...names: string[]) => new RegExp(`node_modules[\\\\/](${names.join('|')})[\\\\/]`)

/** The chunks that every page begins with. */
const IN_EVERY_PAGE = /assets[/](rolldown-runtime|react|start|early|first)-(?!es-|en-)[\w-]+\.(js|css)$/

/** What the sign-in needs of `ui` and `api`; the rest of both is for the pages behind it. */
const FIRST_UI =
  'Brand|Button|Dialog|ErrorBoundary|sharedFailure|Link|Menu|lazyPart|Name|Notice|Overlay|States|icons|theme|format'
/** What the shell and the dashboard's first screen draw; the rest of the icons comes with the pages. */
const MEMBER_ICONS =
  'Menu2|LayoutDashboard|Wallet|User|BinaryTree|Users|Coins|History|ShieldLock|Plus|Logout|Dots'
const FIRST_ICONS = 'AlertTriangle|Refresh|Sun|Moon'
const VISITOR_ICONS = 'Eye|EyeOff|AlertCircle|Fingerprint|Mail|ArrowLeft|Check'
const FIRST_HOOKS = 'region|timeZone|usePageTitle|useFailureText|useSignedIn'
/** What a call in the member's name needs: it goes out before there is a page. */
const EARLY =
  /src[\\/](api[\\/](ahead|browserSession|failure|http|language|ownApp|session|shape|storage|underLock)|app[\\/](arrival|early))\.ts$/
/** What every page has of `app` stands there too: otherwise the members' chunk, which uses it, would take it along. */
const FIRST_APP =
  /src[\\/]app[\\/]((?!main|consoleTexts|InAddress|PublicLayout|Member|Operator|arrival|early|store)\w+|shell[\\/](LanguageMenu|SchemeToggle))\.tsx?$/
const FIRST = new RegExp(
  `src[\\\\/](ui|api)[\\\\/](${FIRST_UI}|${FIRST_HOOKS})\\.tsx?$|${FIRST_APP.source}|createReactComponent|icons[\\\\/]Icon(${FIRST_ICONS})\\.mjs|vite/preload-helper|look[\\\\/]src[\\\\/](base|controls)\\.css|first-paint[\\\\/]firstPaint\\.css`,
)

/** What stands around the pages of visitors, and their fields. */
const VISITOR = new RegExp(
  `icons[\\\\/]Icon(${VISITOR_ICONS})\\.mjs$|src[\\\\/](ui[\\\\/](Field|PasswordField)|app[\\\\/]PublicLayout|features[\\\\/]identity[\\\\/]sign-in[\\\\/](nextPath|api|usePasskeySignIn|passkeySignIn|solveProof|components[\\\\/](SignInPage|PasskeyButton)))\\.tsx?$`,
)

/** What is asked of visitors and of members. */
const SECRETS =
  /src[/](ui[/](CodeField|countdown)|features[/]identity[/]new-password[/](components[/]NewPasswordFields|newPassword|useStrength))\.tsx?$/

/** What stands around every page of members, and the dashboard's first screen. All else comes on demand. */
const MEMBER_UI = 'Avatar|Fact|Money|PageHead|useAddressFlag|picturePath'
const MEMBER = new RegExp(
  `icons[\\\\/]Icon(${MEMBER_ICONS})\\.mjs$|src[\\\\/](ui[\\\\/](${MEMBER_UI})|api[\\\\/](client|user|conforms)|app[\\\\/](MemberApp|MemberDashboard|store)|app[\\\\/]shell[\\\\/](?!LanguageMenu|SchemeToggle|SettingsDock|SidebarTrap|Around)\\w+|features[\\\\/]dashboard[\\\\/](api|greeting|firstSteps|components[\\\\/](?!MoreCards|FirstSteps)\\w+))\\.tsx?$`,
)
/** What most pages with a list have in common. */
const LISTS =
  /src[\\/](ui[\\/](DataTable|Pagination|place|Address|CopyButton|OutsideLink|amount|days)|app[\\/]InAddress)\.tsx?$|node_modules[\\/]nuqs[\\/]/

/** The texts that go together, for each language that has a file of them. */
const FIRST_TEXTS = /src[\\/](app|ui)[\\/]locales[\\/](\w+)\.json$/
const HOME_TEXTS = /src[\\/]features[\\/]dashboard[\\/]locales[\\/](\w+)\.json$/
const CONSOLE_TEXTS = /src[\\/]console[\\/].+[\\/]locales[\\/](\w+)\.json$/
const named = (name: string, test: RegExp) => ({
  name: (id: string) => `${name}-${/(\w+)\.json$/.exec(id)?.[1]}`,
  test,
})

export default defineConfig({
  plugins: [
    react(),
    unusedRouterParts(),
    preloadTextFace(),
    paintFirst(),
    firstPaints(),
    offlineFiles(),
    arrivalFiles(),
    compressedCopies(),
  ],
  // The toasts' own looks write a style sheet into the page, which the server's policy keeps out; see Toasts.tsx.
  resolve: { alias: [{ find: /^react-hot-toast$/, replacement: 'react-hot-toast/headless' }] },
  build: {
    outDir: 'dist',
    target: 'es2022',
    modulePreload: {
      // Every browser that runs the rest knows it by itself.
      polyfill: false,
      // What index.html names is there before anything is fetched later: no part names it again.
      resolveDependencies: (_file, needed, { hostType }) =>
        hostType === 'html' ? needed : needed.filter((file) => !IN_EVERY_PAGE.test(file)),
    },
    // A data: URL would need a wider font-src than the Content-Security-Policy gives.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: 'index.html', offline: 'offline.html', sw: 'src/app/offline/serviceWorker.ts' },
      output: {
        // A worker governs what lies below it, so it lies at the top, under a name that stays.
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        codeSplitting: {
          // Few files, as many as there are reasons to load one: a request costs more than a kilobyte. The libraries
          // stand apart because a browser keeps those between our deployments.
          groups: [
            { name: 'react', priority: 5, test: packages('react', 'react-dom', 'scheduler') },
            {
              name: 'start',
              priority: 4,
              test: packages('react-router', 'i18next', 'react-i18next', 'react-hot-toast'),
            },
            {
              name: 'store',
              priority: 3,
              test: packages('@reduxjs', 'react-redux', 'redux', 'redux-thunk', 'immer', 'reselect'),
            },
            { name: 'early', priority: 2.5, test: EARLY },
            { name: 'first', priority: 2, test: FIRST },
            { name: 'visitor', priority: 1.8, test: VISITOR },
            { name: 'secrets', priority: 1.5, test: SECRETS },
            { name: 'member', priority: 1, test: MEMBER },
            { name: 'lists', priority: 0.8, test: LISTS },
            { name: 'typed', priority: 0.7, test: /contract[\\/]src[\\/](typed|spelt|characters)\.ts$/ },
            { name: 'icons', priority: 0.5, test: /@tabler/ },
            // What menus and dialogs share, both of which every page fetches when it is at rest.
            { name: 'kit', priority: 0.4, test: packages('@base-ui', '@floating-ui'), minShareCount: 2 },
            named('first', FIRST_TEXTS),
            named('home', HOME_TEXTS),
            named('console', CONSOLE_TEXTS),
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://localhost:3000' } },
})
