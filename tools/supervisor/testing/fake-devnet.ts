import { behave, orders } from './fake-child.ts'

behave(orders('devnet', process.env['DATA_DIR']), process.env['DEVNET_PORT'], process.env['HOST'])
