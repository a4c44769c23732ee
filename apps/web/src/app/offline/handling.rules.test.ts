import { describe, expect, it } from 'vitest'
import { handlingOf, isAway } from './handling.rules.ts'

const ORIGIN = 'https://aval.example'
const of = (path: string, mode = 'cors', method = 'GET') =>
  handlingOf({ method, mode, url: new URL(path, ORIGIN).href }, ORIGIN, ['/theme.js'])

describe('what the service worker does', () => {
  it.each(['/', '/dashboard', '/auth/login/?next=%2Fpayments', '/no/such/page'])(
    'stands by a visit of %s',
    (path) => {
      expect(of(path, 'navigate')).toBe('page')
    },
  )

  it.each(['/assets/index-1a2b.js', '/assets/a.css', '/assets/public-sans.woff2'])('keeps %s', (path) => {
    expect(of(path)).toBe('asset')
  })

  it('has the offline page’s own files at hand', () => {
    expect(of('/theme.js')).toBe('spare')
    expect(of('/favicon.svg')).toBe('untouched')
  })

  it.each([
    ['/api/auth/user/', 'cors'],
    ['/api/docs/', 'navigate'],
    ['/api', 'navigate'],
    ['/api/avatars/1.svg', 'no-cors'],
    ['/dev/mail', 'navigate'],
    ['https://elsewhere.example/assets/a.js', 'cors'],
  ])('lets %s alone', (path, mode) => {
    expect(of(path, mode)).toBe('untouched')
  })

  it('lets alone whatever changes something', () => {
    expect(of('/dashboard', 'navigate', 'POST')).toBe('untouched')
    expect(of('/assets/a.js', 'cors', 'HEAD')).toBe('untouched')
  })

  it('takes a proxy’s word that the server is away, and no other failure', () => {
    expect([502, 503, 504].map(isAway)).toEqual([true, true, true])
    expect([200, 304, 404, 500, 0].map(isAway)).toEqual([false, false, false, false, false])
  })
})
