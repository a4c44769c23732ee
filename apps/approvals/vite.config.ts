import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** What the process reads the hashes from; see src/pinned-files.ts. */
const MANIFEST = 'manifest.json'

const hashOf = (algorithm: string, content: Buffer, encoding: 'hex' | 'base64') =>
  createHash(algorithm).update(content).digest(encoding)

/**
 * Pins the files: each that the page names gets its hash in the page, and all of them, the page included, in a list that the process
 * checks before it serves one.
 */
function pinFiles(): Plugin {
  return {
    name: 'pin-files',
    apply: 'build',
    enforce: 'post',
    async writeBundle({ dir = 'dist' }) {
      const contentOf = (name: string) => readFile(join(dir, name))
      const page = await contentOf('index.html').then(String)
      const named = [...page.matchAll(/<(?:script|link)[^>]* (?:src|href)="\/([\w./-]+)"[^>]*>/g)]
      let pinned = page
      for (const [tag, name = ''] of named) {
        if (!/\.(js|css)$/.test(name)) continue
        const integrity = `sha384-${hashOf('sha384', await contentOf(name), 'base64')}`
        pinned = pinned.replace(tag, tag.replace(/>$/, ` integrity="${integrity}">`))
      }
      if (/<script(?![^>]*integrity)/.test(pinned)) throw new Error('a script of the page has no hash')
      await writeFile(join(dir, 'index.html'), pinned)
      const entries = await readdir(dir, { recursive: true, withFileTypes: true })
      const names = entries
        .filter((entry) => entry.isFile() && entry.name !== MANIFEST)
        .map((entry) =>
          join(entry.parentPath, entry.name)
            .slice(dir.length + 1)
            .replaceAll('\\', '/'),
        )
        .filter((name) => !name.startsWith('.'))
        .sort()
      const hashes: Record<string, string> = {}
      for (const name of names) hashes[name] = hashOf('sha256', await contentOf(name), 'hex')
      await writeFile(join(dir, MANIFEST), `${JSON.stringify(hashes, null, 2)}\n`)
    },
  }
}

export default defineConfig({
  root: join(import.meta.dirname, 'page'),
  plugins: [react(), pinFiles()],
  build: {
    outDir: join(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    // A data: URL would need a wider policy than the process gives.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: false } },
  },
})
