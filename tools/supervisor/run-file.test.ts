import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readRunFile, writeRunFile } from './run-file.ts'

it('says what was written last, however many processes start at the same moment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aval-run-file-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const databases = {
    owner: 'o',
    api: 'a',
    worker: 'w',
    gateway: 'g',
    signer: 's',
    approvals: 'p',
    auditor: 'u',
  }
  const run = (api: number) => ({
    url: 'd',
    databases,
    ports: { web: 1, approvals: 4, devnet: 2, postgres: 3 },
    pids: { api },
  })
  await Promise.all([1, 2, 3, 4, 5].map((pid) => writeRunFile(folder, run(pid))))
  expect(await readRunFile(folder)).toEqual(run(5))
})
