/** A signer's socket in a folder of its own, with a stub for the signer. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../../core/log.ts'
import type { SignerPort, SignerReply } from '../protocol.ts'
import { type SignerServer, serveSigner } from '../server.ts'

export const TXID = 'a'.repeat(64)
export const SIGNED: SignerReply = { signed: true, signature: new Uint8Array(65).fill(7) }

export interface SocketHarness {
  /** The folder of the socket; not created yet. */
  readonly folder: string
  readonly path: string
  readonly logged: string[]
  /** Signs everything by default. */
  serve(sign?: SignerPort['sign'], lineMs?: number): Promise<SignerServer>
  close(): Promise<void>
}

export function createSocketHarness(): SocketHarness {
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
    async serve(sign = async () => SIGNED, lineMs = 5_000) {
      const server = await serveSigner({ path, signer: { sign }, log, lineMs })
      servers.push(server)
      return server
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()))
      rmSync(outside, { recursive: true, force: true })
    },
  }
}
