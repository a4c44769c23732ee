import { describe, expect, it } from 'vitest'
import { takesCookies } from './ownApp.ts'

/** A document of a browser that takes cookies of this kind, or none. */
function pageThat(takes: (text: string) => boolean) {
  const jar = new Map<string, string>([['other', '1']])
  const seen: string[] = []
  return {
    seen,
    get cookie() {
      return [...jar].map((pair) => pair.join('=')).join('; ')
    },
    set cookie(text: string) {
      seen.push(text)
      if (!takes(text)) return
      const [name = '', value = ''] = (text.split(';')[0] ?? '').split('=')
      if (text.includes('Max-Age=0')) jar.delete(name)
      else jar.set(name, value)
    },
  }
}

describe('whether the browser takes a cookie like the server’s', () => {
  it('is tried out with one of the same kind, which goes again', () => {
    const page = pageThat((text) => /^__Host-.*; Path=\/; Secure; SameSite=Strict/.test(text))
    expect(takesCookies(page)).toBe(true)
    expect(page.cookie).toBe('other=1')
  })

  it('is no on plain HTTP, and where there are none at all', () => {
    expect(takesCookies(pageThat((text) => !text.includes('Secure')))).toBe(false)
    const forbidden = {
      get cookie(): string {
        throw new DOMException('denied', 'SecurityError')
      },
      set cookie(_text: string) {
        throw new DOMException('denied', 'SecurityError')
      },
    }
    expect(takesCookies(forbidden)).toBe(false)
  })

  it('is tried out under another name each time: two tabs do not remove each other’s', () => {
    const page = pageThat(() => true)
    takesCookies(page)
    takesCookies(page)
    expect(new Set(page.seen.map((text) => text.split('=')[0])).size).toBe(2)
  })
})
