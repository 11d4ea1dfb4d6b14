package ui
import ("testing";"os";"fmt";"path/filepath";"strings";"hadarlab/app/state";"hadarlab/app/elm";"hadarlab/app/ui/why";"hadarlab/app/ui/timeline";"hadarlab/core/chart/data";"github.com/maxence-charriere/go-app/v9/pkg/app";"regexp")
var blocks=regexp.MustCompile(`</?(p|h[1-6]|li|tr|div|figcaption|section|header|details|summary|td|th|g|text|title|option|button|label|select)[ >]`)
var svgs=regexp.MustCompile(`(?s)<svg.*?</svg>|<select.*?</select>|<style.*?</style>`)
func lines(m string) string {
 m=svgs.ReplaceAllString(m,"")
 m=strings.ReplaceAll(m,"\n"," ")
 m=blocks.ReplaceAllStringFunc(m,func(s string)string{ if strings.HasPrefix(s,"<t") { return " ¦ "+s}; return "\n"+s })
 var out []string
 for _,l:=range strings.Split(m,"\n"){ l=heard(l); if l!="" {out=append(out,l)} }
 return strings.Join(out,"\n")
}
func TestScratch(t *testing.T){
 d:=newDesk(t)
 files,_:=filepath.Glob(os.Getenv("ODD"))
 for _,f:=range files {
  text,_:=os.ReadFile(f)
  d.what=f
  func(){
   d.do(state.OpenFile{Name:"s.json",Data:text})
   fmt.Println("=====",f, d.h.S.Status())
   if !d.h.S.Fresh() { for _,g:=range d.h.S.Diags.Errors(){fmt.Println(g.Message.String())}; return }
   if os.Getenv("PAGE")!="" { fmt.Println(lines(app.HTMLString(&elm.Root{}))) }
   r:=d.h.S.Result
   fmt.Println("CLAIM:",heard(fmt.Sprint(r.Finding.Claim)),"|",r.Finding)
   for _,at:=range []int{0,max(r.Diff.First,0),len(r.Diff.Moments)/2} {
    d.do(state.Go{To:at})
    for lane:=range r.Lanes { d.do(state.ExplainLane{Lane:lane})
     if os.Getenv("WHY")!="" {fmt.Println("-- why",at,lane); fmt.Println(lines(app.HTMLString(elm.Part(why.Of(&d.h.S.Lab)))))} }
   }
   for _,tab:=range data.Charts(){ d.h.S.View.Tab=tab.ID
    x:=lines(app.HTMLString(elm.Part(timeline.ChartsOf(&d.h.S.Lab))))
    fmt.Println("-- chart",tab.ID); ls:=strings.Split(x,"\n"); for _,l:=range ls { if len(l)>40 && strings.Contains(l," ") {fmt.Println("   ",l)} } }
  }()
 }
}
