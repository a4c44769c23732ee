/** The project's own text files, as the house rules see them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../core/config.ts'

export interface Source {
  /** From the project's folder, with forward slashes. */
  readonly path: string
  readonly text: string
}

const folders = ['packages', 'db', 'apps', 'tools', 'bench', 'simulation', 'e2e', 'docs', '.ci']
const skipped = /^(node_modules|dist|coverage|test-results|\..+)$/
const texts = /\.(ts|tsx|mjs|cjs|css|sql|md|json|sol|html)$|^run$/

export function readSources(folder = root): Source[] {
  const top = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && texts.test(entry.name) && entry.name !== 'package-lock.json')
    .map((entry) => entry.name)
  const deep = folders.flatMap((name) => walk(folder, name))
  return [...top, ...deep].map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
}

function walk(folder: string, path: string): string[] {
  let entries: ReturnType<typeof list>
  try {
    entries = list(join(folder, path))
  } catch {
    return []
  }
  return entries.flatMap((entry) => {
    const inside = `${path}/${entry.name}`
    if (entry.isDirectory()) return skipped.test(entry.name) ? [] : walk(folder, inside)
    return texts.test(entry.name) ? [inside] : []
  })
}

const list = (folder: string) => readdirSync(folder, { withFileTypes: true })

export const isScript = ({ path }: Source): boolean => /\.(ts|tsx|mjs|cjs)$/.test(path)
export const isGenerated = ({ path }: Source): boolean => /\.generated\.\w+$/.test(path)
export const isTest = ({ path }: Source): boolean =>
  /\.(test|e2e)\.tsx?$|\/testing\/|\/testing\.ts$/.test(path)
