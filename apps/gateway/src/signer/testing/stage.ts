/** A signer's socket in a folder of its own, behind it a signer that does as it is told. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../../core/log.ts'
import type { SignerPort, SignerReply } from '../protocol.ts'
import { type SignerServer, serveSigner } from '../server.ts'

export const TXID = 'a'.repeat(64)
export const SIGNED: SignerReply = { signed: true, signature: new Uint8Array(65).fill(7) }

export interface Stage {
  /** The folder of the socket; not there yet. */
  readonly folder: string
  readonly path: string
  readonly logged: string[]
  /** Signs everything when not told otherwise. */
  serve(sign?: SignerPort['sign'], halfLineMs?: number): Promise<SignerServer>
  close(): Promise<void>
}

export function createStage(): Stage {
  const outside = mkdtempSync(join(tmpdir(), 'aval-signer-'))
  const folder = join(outside, 'private')
  const path = join(folder, 'signer.sock')
  const logged: string[] = []
  const log = createLog((line) => logged.push(line), 'signer')
  const servers: SignerServer[] = []
  return {
    folder,
    path,
    logged,
    async serve(sign = async () => SIGNED, halfLineMs = 5_000) {
      const server = await serveSigner({ path, signer: { sign }, log, halfLineMs })
      servers.push(server)
      return server
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()))
      rmSync(outside, { recursive: true, force: true })
    },
  }
}
