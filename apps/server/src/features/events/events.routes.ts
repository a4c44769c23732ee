import type { FeatureRoutes } from '../../http/api.ts'
import { measureFigures } from '../../http/metrics.ts'
import { openAnswer } from '../../http/open-answer.ts'
import { route, routes } from '../../http/route.ts'
import { followNotices } from './follow.ts'
import { type Connection, type Holder, Streams } from './streams.ts'

type Open = (holder: Holder, connection: Connection) => void

const streamRoutes = (open: Open) =>
  routes({
    streamEvents: route({
      call: 'GET /core/events/',
      notInViews: true,
      summary:
        'A stream of what changed: `money`, `withdrawals`, `deposits`, `console`, or `refresh` for anything',
      tags: ['events'],
      access: 'member',
      produces: 'text/event-stream',
      staysOpen: true,
      response: { 200: openAnswer },
      handler: (_input, { caller }) => {
        const { memberId, sessionId, accessUntil, isOperator } = caller
        return (connection) => open({ memberId, sessionId, accessUntil, isOperator }, connection)
      },
    }),
  })

/** @param streams those of this server; a test brings its own */
export const eventsRoutesOn =
  (streams: Streams): FeatureRoutes =>
  (api, context) => {
    let following: { stop(): Promise<void> } | null = null
    api.addHook('onListen', async () => {
      following = followNotices(context, streams)
    })
    // Before the server waits for its connections to end.
    api.addHook('preClose', async () => {
      streams.close()
      await following?.stop()
    })
    measureFigures(api, [{ name: 'event_streams', help: 'Open streams of events.' }], async () => ({
      event_streams: streams.size,
    }))
    streamRoutes((holder, connection) => {
      // Where nothing follows the database, a stream would stay silent.
      if (following === null) connection.end()
      else streams.open(holder, connection)
    })(api, context)
  }

export const eventsRoutes: FeatureRoutes = (api, context) => eventsRoutesOn(new Streams())(api, context)
