import { describe, expect, it } from 'vitest'
import { PERMISSIONS, pagePolicy, styleHash } from './policy.ts'

const LOCAL = 'http://localhost:3000'

describe('the policy of our pages', () => {
  it('lets nothing in from elsewhere', () => {
    const { directives } = pagePolicy(LOCAL)
    expect(directives.defaultSrc).toEqual(["'none'"])
    const sources = Object.values(directives).flat()
    expect(sources.filter((source) => /unsafe|\*|http/.test(source))).toEqual([])
  })

  it('names one policy for scripts, and asks for it', () => {
    const { directives } = pagePolicy(LOCAL)
    expect(directives.requireTrustedTypesFor).toEqual(["'script'"])
    expect(directives.trustedTypes).toEqual(['aval'])
  })

  it('asks for https only where people come by it', () => {
    expect(pagePolicy(LOCAL).directives).not.toHaveProperty('upgradeInsecureRequests')
    expect(pagePolicy('https://aval.example').directives).toHaveProperty('upgradeInsecureRequests', [])
  })

  it('lets one inline style sheet through by its hash', () => {
    const hash = styleHash('body{color:red}')
    expect(hash).toMatch(/^'sha256-[\w+/]{43}='$/)
    expect(pagePolicy(LOCAL, hash).directives.styleSrc).toEqual(["'self'", hash])
    expect(styleHash('body{color:blue}')).not.toBe(hash)
  })

  it('leaves a page no sensor, and the clipboard to our own', () => {
    expect(PERMISSIONS).toContain('camera=()')
    expect(PERMISSIONS).toContain('clipboard-write=(self)')
  })
})
