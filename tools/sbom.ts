/** `npm run sbom`: a list of all packages that ship, as CycloneDX, in `dist/sbom.json`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './core/config.ts'
import { lockfile, sbomOf } from './sbom.rules.ts'

const lock = lockfile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
const sbom = sbomOf(lock, 'aval', new Date())
mkdirSync(join(root, 'dist'), { recursive: true })
writeFileSync(join(root, 'dist/sbom.json'), `${JSON.stringify(sbom, null, 2)}\n`)
console.log(`dist/sbom.json: ${sbom.components.length} packages`)
