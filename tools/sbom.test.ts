import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { root } from './core/config.ts'

const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'))
const manifest = z.object({ dependencies: z.record(z.string(), z.string()).optional() })
const shape = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.5'),
  components: z.array(
    z.object({
      type: z.literal('library'),
      name: z.string(),
      version: z.string().regex(/^\d/),
      purl: z.string().regex(/^pkg:npm\/[^@]+@\d/),
      hashes: z.array(z.object({ alg: z.literal('SHA-512'), content: z.string().regex(/^[0-9a-f]{128}$/) })),
    }),
  ),
})

/** What our own packages say that they need to run. */
const needed = ['packages', 'apps', '.'].flatMap((folder) =>
  (folder === '.' ? ['db'] : readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)).flatMap(
    (place) =>
      Object.keys(manifest.parse(read(`${place}/package.json`)).dependencies ?? {}).filter(
        (name) => !name.startsWith('@aval/'),
      ),
  ),
)

test('the list of what ships is CycloneDX, and has every package that ours need, with its hash, and none of development', () => {
  const { status } = spawnSync(process.execPath, [join(root, 'tools/sbom.ts')])
  expect(status).toBe(0)
  const { components } = shape.parse(read('dist/sbom.json'))
  const names = new Set(components.map(({ name }) => name))
  expect(needed.filter((name) => !names.has(name))).toEqual([])
  expect(needed.length).toBeGreaterThan(30)
  // Needed by those, and by nothing of ours.
  expect([...names]).toEqual(expect.arrayContaining(['pino', 'find-my-way', 'pg-protocol']))
  expect(['vitest', '@playwright/test', 'knip', '@biomejs/biome'].filter((name) => names.has(name))).toEqual(
    [],
  )
})
