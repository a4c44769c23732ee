import { Fragment } from 'react'

/**
 * A person's name or username. It may be written right to left without turning the sentence around it, and a long one
 * without spaces breaks after its dots and dashes rather than anywhere, an e-mail address after its sign and a network's after its
 * colons too.
 */
export function Name({ text }: { text: string }) {
  return (
    <bdi>
      {[...text.matchAll(/[^._@:-]*[._@:-]|[^._@:-]+/g)].map(({ 0: part, index: at }) => (
        <Fragment key={at}>
          {at === 0 ? null : <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  )
}
