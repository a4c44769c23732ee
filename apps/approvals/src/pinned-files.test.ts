import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AlteredFile, MANIFEST, openPinnedFiles } from './pinned-files.ts'
import { createPageFolder } from './testing/page-folder.ts'

let page: Awaited<ReturnType<typeof createPageFolder>>
beforeEach(async () => {
  page = await createPageFolder()
})
afterEach(() => page.remove())

describe('the files of the page', () => {
  it('are read with their kind, and nothing beside them is', async () => {
    const files = await openPinnedFiles(page.folder)
    const script = await files.read('assets/page-1a2b.js')
    expect([script?.content.toString(), script?.type]).toEqual([
      'document.title = 1',
      'text/javascript; charset=utf-8',
    ])
    for (const path of ['notes.txt', MANIFEST, '../package.json', 'assets', '', 'assets/../notes.txt'])
      expect(await files.read(path), path).toBeNull()
  })

  it('are not opened where one byte of one of them differs', async () => {
    await page.changeByte('assets/page-1a2b.css')
    await expect(openPinnedFiles(page.folder)).rejects.toThrow(AlteredFile)
    await page.restore('assets/page-1a2b.css')
    await openPinnedFiles(page.folder)
  })

  it('are not handed out once they were changed under us, and are again when they are back', async () => {
    const files = await openPinnedFiles(page.folder)
    await page.changeByte('index.html')
    await expect(files.read('index.html')).rejects.toThrow(AlteredFile)
    expect(await files.read('assets/page-1a2b.js')).not.toBeNull()
    await page.restore('index.html')
    expect(await files.read('index.html')).not.toBeNull()
  })

  it('are those of the list that was read at the start: another list changes nothing', async () => {
    const files = await openPinnedFiles(page.folder)
    await writeFile(join(page.folder, MANIFEST), '{}')
    expect(await files.read('index.html')).not.toBeNull()
    await expect(openPinnedFiles(page.folder)).rejects.toThrow(AlteredFile)
  })

  it.each(['[]', '{"../secret":"00"}', '{"index.html":"00"}', 'no list'])(
    'have no list like %s',
    async (text) => {
      await writeFile(join(page.folder, MANIFEST), text)
      await expect(openPinnedFiles(page.folder)).rejects.toThrow()
    },
  )
})
