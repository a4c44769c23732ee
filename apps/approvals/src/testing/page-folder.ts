/** A small page as the build leaves one, with its hashes. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MANIFEST } from '../pinned-files.ts'

const FILES = {
  'index.html': '<!doctype html><title>approvals</title>',
  'assets/page-1a2b.js': 'document.title = 1',
  'assets/page-1a2b.css': 'body { margin: 0 }',
}

export async function createPageFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'aval-approvals-'))
  await mkdir(join(folder, 'assets'))
  const hashes: Record<string, string> = {}
  for (const [name, content] of Object.entries(FILES)) {
    await writeFile(join(folder, name), content)
    hashes[name] = createHash('sha256').update(content).digest('hex')
  }
  await writeFile(join(folder, MANIFEST), JSON.stringify(hashes))
  await writeFile(join(folder, 'notes.txt'), 'not of the page')
  return {
    folder,
    /** Leaves the file as long as it was, with another last byte. */
    changeByte: (name: keyof typeof FILES) => writeFile(join(folder, name), `${FILES[name].slice(0, -1)}!`),
    restore: (name: keyof typeof FILES) => writeFile(join(folder, name), FILES[name]),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
