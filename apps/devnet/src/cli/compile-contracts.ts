/** Compiles the development contracts and writes the committed artifacts. Run after changing one in contract/. */
import { writeFileSync } from 'node:fs'
import { artifactOf, CONTRACTS, compileContract } from '../contract/compile.ts'

for (const name of CONTRACTS) {
  writeFileSync(artifactOf(name), compileContract(name))
  console.log(`wrote ${artifactOf(name).pathname}`)
}
