/** Compiles the development token and writes the committed artifact. Run after changing contract/Usdt.sol. */
import { writeFileSync } from 'node:fs'
import { compileToken, TOKEN_ARTIFACT } from '../contract/compile.ts'

writeFileSync(TOKEN_ARTIFACT, compileToken())
console.log(`wrote ${TOKEN_ARTIFACT.pathname}`)
