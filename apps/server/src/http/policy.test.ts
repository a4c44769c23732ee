import { describe, expect, it } from 'vitest'
import { inlineHash, PERMISSIONS, pagePolicy } from './policy.ts'

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

  it('lets one inline style sheet or script through by its hash', () => {
    const hash = inlineHash('body{color:red}')
    expect(hash).toMatch(/^'sha256-[\w+/]{43}='$/)
    expect(inlineHash('body{color:blue}')).not.toBe(hash)
    const styled = pagePolicy(LOCAL, { styles: [hash] }).directives
    expect([styled.styleSrc, styled.scriptSrc]).toEqual([["'self'", hash], ["'self'"]])
    const scripted = pagePolicy(LOCAL, { scripts: [hash] }).directives
    expect([scripted.styleSrc, scripted.scriptSrc]).toEqual([["'self'"], ["'self'", hash]])
  })

  it('leaves a page no sensor, and the clipboard to our own', () => {
    expect(PERMISSIONS).toContain('camera=()')
    expect(PERMISSIONS).toContain('clipboard-write=(self)')
  })
})
