/** The gestures: wheel, drag, pinch, and the moves that buttons and keys ask for. All of them end in one sight. */
import { interpolate, interpolateZoom } from 'd3-interpolate'
import { select } from 'd3-selection'
import 'd3-transition'
import { type D3ZoomEvent, zoom, zoomIdentity } from 'd3-zoom'
import { type Sight, type Size, sightAtStart, sightZoomed, ZOOM } from './detail.ts'

/** Milliseconds. */
export const MOVE_TIME = 400
/** Moves longer than this many screens first rise to see both ends. */
const FAR = 3

export type Camera = ReturnType<typeof makeCamera>

export function makeCamera(view: HTMLElement, size: () => Size, onMove: () => void) {
  const selection = select<HTMLElement, unknown>(view)
  let sight = sightAtStart(size())
  /** Where a move that is under way will end. */
  let goal: Sight | null = null
  const behaviour = zoom<HTMLElement, unknown>()
    .scaleExtent([ZOOM.min, ZOOM.max])
    // A small movement during a press on a card is no drag.
    .clickDistance(5)
    .extent(() => [
      [0, 0],
      [size().width, size().height],
    ])
    .filter((event: Event) => isForChart(event))
    .on('zoom', (event: D3ZoomEvent<HTMLElement, unknown>) => {
      sight = event.transform
      onMove()
    })
  selection.call(behaviour).on('dblclick.zoom', null)
  const transformOf = ({ x, y, k }: Sight) => zoomIdentity.translate(x, y).scale(k)
  selection.call(behaviour.transform, transformOf(sight))

  const glideTo = (target: Sight) => {
    const forget = () => {
      if (goal === target) goal = null
    }
    goal = target
    selection
      .transition()
      .duration(MOVE_TIME)
      .on('end.goal interrupt.goal cancel.goal', forget)
      .call(behaviour.transform, transformOf(target))
  }
  const moveTo = (target: Sight, animated: boolean) => {
    const { width, height } = size()
    const ratio = target.k / sight.k
    const shift = Math.hypot(target.x - sight.x * ratio, target.y - sight.y * ratio)
    behaviour.interpolate(shift > FAR * Math.max(width, height) ? interpolateZoom : interpolate)
    if (animated) glideTo(target)
    else selection.interrupt().call(behaviour.transform, transformOf(target))
  }

  return {
    sight: () => sight,
    moveTo,
    // From where the step before will end: pressed quickly, each press counts whole.
    zoomBy: (factor: number, animated: boolean) =>
      moveTo(sightZoomed(goal ?? sight, size(), factor), animated),
    stop: () => {
      selection.interrupt().on('.zoom', null)
    },
  }
}

/** Not the second button, and nothing that begins on a control lying over the chart. */
function isForChart(event: Event): boolean {
  const onControl = event.target instanceof Element && event.target.closest('[data-overlay]') !== null
  return !onControl && !('button' in event && event.button !== 0)
}
