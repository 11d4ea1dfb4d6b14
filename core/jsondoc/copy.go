package jsondoc

import "reflect"

// Copy gives v with slices, maps and pointers of its own, all the way down. Fields that are not exported stay shared.
func Copy[T any](v T) T {
	detach(reflect.ValueOf(&v).Elem())
	return v
}

// detach replaces what v shares with the value that it was copied from.
func detach(v reflect.Value) {
	switch k := v.Kind(); {
	case k == reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				detach(f)
			}
		}
	case k == reflect.Slice && !v.IsNil():
		own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(own, v)
		v.Set(own)
		for i := 0; i < v.Len() && v.Type().Elem().Kind() != reflect.Uint8; i++ {
			detach(v.Index(i))
		}
	case k == reflect.Map && !v.IsNil():
		own := reflect.MakeMapWithSize(v.Type(), v.Len())
		for it := v.MapRange(); it.Next(); { // into a map: the order is immaterial
			own.SetMapIndex(it.Key(), detached(it.Value()))
		}
		v.Set(own)
	case k == reflect.Pointer && !v.IsNil():
		v.Set(detached(v.Elem()).Addr())
	case k == reflect.Interface && !v.IsNil():
		v.Set(detached(v.Elem()))
	}
}

// detached is a copy of v that shares nothing with it.
func detached(v reflect.Value) reflect.Value {
	own := reflect.New(v.Type()).Elem()
	own.Set(v)
	detach(own)
	return own
}
