import { describe, expect, it } from 'vitest'
import { ownScript } from './scriptUrl.ts'

const ORIGIN = 'https://aval.example'

describe('the address of a script', () => {
  it.each(['/sw.js', '/assets/captcha.worker-1a2b.js', `${ORIGIN}/assets/a.js`])('may be %s', (url) => {
    expect(ownScript(url, ORIGIN)).toBe(url)
  })

  it.each([
    'https://evil.example/a.js',
    '//evil.example/a.js',
    'data:text/javascript,alert(1)',
    'blob:https://aval.example/1',
    'javascript:alert(1)',
    '/api/avatars/1.svg',
    '/assets/../api/user',
    'http://aval.example/a.js',
  ])('may not be %s', (url) => {
    expect(() => ownScript(url, ORIGIN)).toThrow(TypeError)
  })
})
