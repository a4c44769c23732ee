import { describe, expect, it } from 'vitest'
import { isNewDevice } from './sign-in.rules.ts'

const firefox = (version: number, system: string) =>
  `Mozilla/5.0 (${system}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`
const LINUX = 'X11; Linux x86_64'
const WINDOWS = 'Windows NT 10.0; Win64; x64'

describe('a sign-in', () => {
  it('is no news where there was none before', () => {
    expect(isNewDevice(firefox(140, LINUX), [])).toBe(false)
  })

  it('is no news from the same browser on the same system, whatever its version', () => {
    expect(isNewDevice(firefox(141, LINUX), ['node', firefox(140, LINUX)])).toBe(false)
  })

  it('is news from another browser, or on another system', () => {
    expect(isNewDevice(firefox(140, WINDOWS), [firefox(140, LINUX)])).toBe(true)
    expect(isNewDevice('curl/8.5.0', [firefox(140, LINUX)])).toBe(true)
  })

  it('tells programs without a known name apart by what they send', () => {
    expect(isNewDevice('node', ['node'])).toBe(false)
    expect(isNewDevice('another program', ['node'])).toBe(true)
    expect(isNewDevice('', ['node'])).toBe(true)
  })
})
