package lab

import "hadarlab/core/message"

// unfinished counts jobs.
func unfinished(jobs []message.JobRow) (n int) {
	for i := range jobs {
		if jobs[i].FinishS == nil {
			n++
		}
	}
	return n
}

// News is what the sweep has done since the last call, for a reader who watches: its new runs, without their
// jobs, and the summary of a point that goes on.
func (w *Sweep) News() *message.SweepNews {
	n := &message.SweepNews{SweepProgress: w.Progress(), Over: w.done, Stopped: w.res.Stopped}
	size := w.seeds * len(w.refs) // runs of a point
	n.From = w.told / size
	points := w.res.Points[min(n.From, len(w.res.Points)):]
	if len(w.point.Runs) > 0 {
		w.summarise()
		points = append(points[:len(points):len(points)], w.point)
	}
	for i := range points {
		p := points[i]
		runs := p.Runs[min(w.told-(n.From+i)*size, len(p.Runs)):]
		if len(runs) == 0 {
			continue // all of an incomplete point has been told
		}
		w.told += len(runs)
		p.Runs = append([]message.Lane(nil), runs...)
		for k := range p.Runs {
			p.Runs[k].Left = unfinished(p.Runs[k].Counted())
			p.Runs[k].Jobs = nil
		}
		n.Points = append(n.Points, p)
	}
	return n
}
