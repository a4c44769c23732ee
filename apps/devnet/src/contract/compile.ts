/** Turns contract/Usdt.sol into the text of usdt.generated.ts, the same bytes every time. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'

export const TOKEN_ARTIFACT = new URL('./usdt.generated.ts', import.meta.url)

const SOURCE = new URL('../../contract/Usdt.sol', import.meta.url)

const output = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          abi: z.array(z.unknown()),
          evm: z.object({ bytecode: z.object({ object: z.string() }) }),
        }),
      ),
    )
    .default({}),
})

/**
 * Compiles the token.
 * @throws when the compiler reports anything, warnings included
 */
export function compileToken(): string {
  const solc: unknown = createRequire(import.meta.url)('solc')
  const compile = z.object({ compile: z.custom<(input: string) => string>() }).parse(solc).compile
  const input = {
    language: 'Solidity',
    sources: { 'Usdt.sol': { content: readFileSync(SOURCE, 'utf8') } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'shanghai',
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const result = output.parse(JSON.parse(compile(JSON.stringify(input))))
  const contract = result.contracts['Usdt.sol']?.['Usdt']
  if (result.errors.length > 0 || contract === undefined) {
    throw new Error(result.errors.map((error) => error.formattedMessage).join('\n') || 'nothing was compiled')
  }
  return [
    '// Generated from contract/Usdt.sol by src/cli/compile-token.ts. Do not edit.',
    '',
    `export const USDT_ABI = ${JSON.stringify(contract.abi, null, 2)} as const`,
    '',
    `export const USDT_BYTECODE =\n  '${contract.evm.bytecode.object}'`,
    '',
  ].join('\n')
}
