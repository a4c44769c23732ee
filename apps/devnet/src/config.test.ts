import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

describe('the configuration', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual({
      dataDir: '.data',
      host: '127.0.0.1',
      port: 3001,
      nodes: 1,
      blockMs: 3000,
      solidLag: 19,
      genesisOffsetMs: 0,
    })
  })

  it('takes the local demo’s values', () => {
    expect(readConfig({ DEVNET_BLOCK_MS: '1000', DEVNET_SOLID_LAG: '3', DEVNET_PORT: '' })).toMatchObject({
      blockMs: 1000,
      solidLag: 3,
      port: 3001,
    })
  })

  it('reports every problem at once, one line each', () => {
    const wrong = { DEVNET_PORT: '70000', DEVNET_BLOCK_MS: 'soon', DEVNET_SOLID_LAG: '-1', DEVNET_NODES: '0' }
    expect(() => readConfig(wrong)).toThrow(ConfigError)
    try {
      readConfig(wrong)
    } catch (error) {
      const lines = error instanceof Error ? error.message.split('\n') : []
      expect(lines).toHaveLength(4)
      for (const name of Object.keys(wrong)) expect(lines.some((line) => line.startsWith(name))).toBe(true)
    }
  })
})
