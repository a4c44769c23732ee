import '@aval/look/address.css'
import { groupsOfFour } from './format.ts'

/** An address whole, in groups of four. A screen reader and a selection get it unbroken. */
export function Address({ value }: { value: string }) {
  return (
    <span className="address" translate="no">
      <span className="visually-hidden">{value}</span>
      <span aria-hidden="true" className="address-groups">
        {groupsOfFour(value).map(({ text, at }) => (
          <span key={at}>{text}</span>
        ))}
      </span>
    </span>
  )
}
