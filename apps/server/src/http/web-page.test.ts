import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pageFor, readArrivals, withHints } from './web-page.ts'

const page = readFileSync(new URL('../../../web/index.html', import.meta.url), 'utf8')
const OFFICE = 'https://aval.example'
const metaOf = (html: string, property: string) =>
  new RegExp(`<meta property="${property}" content="([^"]*)"`).exec(html)?.[1]

describe('the page as a link preview reads it', () => {
  it('names its picture whole', () => {
    expect(metaOf(pageFor(page, OFFICE, '/dashboard'), 'og:image')).toBe('https://aval.example/og.png')
  })

  it.each(['/auth/register/1234567', '/auth/register/1234567/', '/auth/register/0'])(
    'invites at %s, without a word about who',
    (path) => {
      const html = pageFor(page, OFFICE, path)
      expect(metaOf(html, 'og:title')).toBe('Te invitaron a Aval')
      expect(metaOf(html, 'og:description')).toContain('Crea tu cuenta con este enlace')
      expect(metaOf(html, 'og:url')).toBe(`${OFFICE}${path}`)
    },
  )

  it.each(['/', '/dashboard', '/auth/register/', '/auth/register/12"><script>', '/auth/register/1/more'])(
    'speaks of the office alone at %s',
    (path) => {
      const html = pageFor(page, OFFICE, path)
      expect(metaOf(html, 'og:title')).toBe(metaOf(page, 'og:title'))
      expect(metaOf(html, 'og:description')).not.toContain('invit')
      expect(metaOf(html, 'og:url')).toBe(`${OFFICE}/`)
      expect(html).not.toContain('12"')
    },
  )

  it('takes an address with odd letters as text', () => {
    expect(pageFor(page, 'https://a.example/?a="&b=$1', '/')).toContain(
      'content="https://a.example/?a=&quot;&amp;b=$1/og.png"',
    )
  })
})

describe('the page as a browser reads it', () => {
  const arrivals = readArrivals('{"/dashboard":["/assets/a.css","/assets/b.js"]}')

  it.each(['/dashboard', '/dashboard/'])('names at %s what is needed next', (path) => {
    const html = withHints(page, arrivals, path)
    expect(html).toContain('<link rel="preload" as="style" crossorigin href="/assets/a.css">')
    expect(html).toContain(
      '<link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/b.js"></head>',
    )
  })

  it.each(['/', '/dashboards', '/auth/login/'])('names nothing at %s', (path) => {
    expect(withHints(page, arrivals, path)).toBe(page)
  })

  it('needs no such list, and takes none that names anything but a file of the build', () => {
    expect(readArrivals(null)).toEqual({})
    expect(() => readArrivals('{"/":["https://evil.example/a.js"]}')).toThrow()
  })
})
