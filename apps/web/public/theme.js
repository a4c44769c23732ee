// Runs before the first paint so that neither the wrong theme nor the wrong language is ever shown. It repeats the
// fallbacks of src/ui/theme.ts in the few lines that may block; theme.test.ts holds the two together.
;(() => {
  const root = document.documentElement
  const read = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const query = new URLSearchParams(location.search)
  const pick = (value, options, fallback) => (options.includes(value) ? value : fallback)

  let saved = {}
  let known = false
  try {
    const parsed = JSON.parse(read('themeSettings') ?? 'null')
    if (parsed !== null && typeof parsed === 'object') {
      saved = parsed
      known = true
    }
  } catch {}
  const layout = saved.layout ?? {}
  const sidebar = saved.sidebar ?? {}
  const header = saved.header ?? {}

  const scheme = pick(known ? saved.theme : 'dark', ['light', 'dark'], 'light')
  const set = (name, value) => root.setAttribute(`data-${name}`, value)
  set('color-scheme', scheme)
  set(
    'theme',
    pick(
      known ? saved.color : 'warning',
      ['primary', 'secondary', 'success', 'warning', 'info', 'danger'],
      'primary',
    ),
  )
  set('font', pick(query.get('theme_font') ?? saved.font, ['public', 'inter'], 'public'))
  const type = pick(query.get('layout_type') ?? layout.type, ['vertical', 'horizontal'], 'vertical')
  set('layout-type', type)
  set('layout-mode', pick(query.get('layout_mode') ?? layout.mode, ['boxed', 'fluid'], 'boxed'))
  set('header-skin', pick(query.get('header_theme') ?? header.theme, ['light', 'dark'], 'light'))
  set('header-logo', header.logo === false ? 'hidden' : 'shown')
  set(
    'nav-skin',
    pick(query.get('menu_theme') ?? sidebar.theme, ['light', 'dark', 'brand', 'transparent'], 'light'),
  )
  set('nav-menu', pick(query.get('menu_item') ?? sidebar.menu, ['soft', 'solid'], 'soft'))
  set(
    'content-skin',
    pick(layout.contentSkin, ['default', 'smooth', 'shadow', 'border', 'modern', 'creative'], 'modern'),
  )

  // The sidebar starts as wide as it will stay, so that nothing moves when the page appears.
  const size = pick(
    sidebar.size,
    ['default', 'compact', 'iconbar', 'full', 'detach', 'fullscreen', 'show-on-hover'],
    'default',
  )
  const width = window.innerWidth
  set('sidenav-size', type === 'horizontal' || width < 992 ? 'full' : width < 1200 ? 'iconbar' : size)

  // What is shown before the app runs differs for who is signed in, and by what the sign-in will offer.
  set('session', read('session') === null ? 'none' : 'kept')
  set('passkeys', window.isSecureContext && window.PublicKeyCredential ? 'some' : 'none')

  root.lang = pick(read('language'), ['es', 'en'], 'es')
  // A browser's first figure and first date take it some twenty milliseconds, on a phone a tenth of a second, to read what it knows
  // of languages. Here nothing waits for that: the style sheets are still on their way.
  new Intl.NumberFormat(root.lang)
  new Intl.DateTimeFormat(root.lang)
  const themeColor = document.querySelector('meta[name="theme-color"]')
  if (themeColor) themeColor.setAttribute('content', scheme === 'dark' ? '#11161c' : '#f6f5f2')
})()
