import { expect, it } from 'vitest'

it('keeps zod from compiling, in the version that is installed', async () => {
  await import('./noEval.ts')
  const { globalConfig } = await import('zod/v4/core')
  expect(globalConfig.jitless).toBe(true)
})
