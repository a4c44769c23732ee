import i18next from 'i18next'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { browserTimeZone, setTimeZone, timeZone } from './timeZone.ts'

beforeEach(() => setTimeZone(null))

describe('the time zone of the page', () => {
  it('is the browser’s until the member’s is known, and again where none is', () => {
    expect(timeZone()).toBe(browserTimeZone())
    setTimeZone('Asia/Tokyo')
    expect(timeZone()).toBe('Asia/Tokyo')
    setTimeZone(null)
    expect(timeZone()).toBe(browserTimeZone())
  })

  it('is never one that the browser does not know', () => {
    setTimeZone('America/Macondo')
    expect(timeZone()).toBe(browserTimeZone())
  })

  it('tells who shows times, once a change', () => {
    const tell = vi.fn()
    i18next.on('languageChanged', tell)
    setTimeZone('Asia/Tokyo')
    setTimeZone('Asia/Tokyo')
    expect(tell).toHaveBeenCalledTimes(1)
    i18next.off('languageChanged', tell)
  })
})
