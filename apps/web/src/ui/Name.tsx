import { Fragment } from 'react'

/**
 * A person's name or username, an address or a link. It may be written right to left without turning the sentence around it, and a long
 * one without spaces breaks after its dots, dashes, slashes, colons and signs rather than anywhere.
 */
export function Name({ text }: { text: string }) {
  return (
    <bdi translate="no">
      {[...text.matchAll(/[^._@/:-]*[._@/:-]|[^._@/:-]+/g)].map(({ 0: part, index: at }) => (
        <Fragment key={at}>
          {at === 0 ? null : <wbr />}
          <span>{part}</span>
        </Fragment>
      ))}
    </bdi>
  )
}
